"""A linear-chain model of names, organisations and places: text -> entities with probabilities, in numpy alone."""
