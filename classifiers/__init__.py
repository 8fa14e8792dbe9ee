"""The health stage: bag of medical terms -> nearest prototypes by Euclidean distance -> health information or not."""
