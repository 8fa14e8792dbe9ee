"""Texts with masked tokens as JSON lines on standard input -> how surprising each is, by a masked language model.

Runs in any Python that has transformers and torch; leakscreen need not be installed there. The argument names the
model: a folder, or a name whose files are already on this machine. Nothing is downloaded.

As in Pilán et al. (2022): all masked tokens of a text are hidden at once, and a token weighs -ln of the probability
that the model gives to what stood there, the smallest one where the model cuts the token into several pieces.
"""

import json
import os
import sys
import time
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
_LEAST = 1e-12


def weights(tokenizer: Any, model: Any, text: str, places: list[list[int]]) -> list[float]:
    import torch

    encoded = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False, verbose=False)
    ids, offsets = encoded["input_ids"], encoded["offset_mapping"]
    pieces = [[index for index, (low, high) in enumerate(offsets) if low < end and high > start]
              for start, end in places]  # fmt: skip
    hidden = list(ids)
    for index in {index for group in pieces for index in group}:
        hidden[index] = tokenizer.mask_token_id
    begin = [one for one in (tokenizer.cls_token_id,) if one is not None]
    end = [one for one in (tokenizer.sep_token_id,) if one is not None]
    most = min(tokenizer.model_max_length, model.config.max_position_embeddings) - len(begin) - len(end)
    probabilities: list[float] = []
    for start in range(0, len(ids), most):
        window = torch.tensor([[*begin, *hidden[start : start + most], *end]])
        with torch.no_grad():
            chances = torch.softmax(model(input_ids=window).logits[0], dim=-1)
        real = enumerate(ids[start : start + most], len(begin))
        probabilities += [float(chances[index, piece]) for index, piece in real]
    return [-float(torch.log(torch.tensor(max(min((probabilities[index] for index in group), default=1.0), _LEAST))))
            for group in pieces]  # fmt: skip


def main() -> None:
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(sys.argv[1], local_files_only=True)
    model = AutoModelForMaskedLM.from_pretrained(sys.argv[1], local_files_only=True).eval()
    before = time.process_time()
    for line in sys.stdin:
        text, places = json.loads(line)
        print(json.dumps(weights(tokenizer, model, text, places)))
    print(json.dumps({"cpu_seconds": time.process_time() - before}))


if __name__ == "__main__":
    main()
