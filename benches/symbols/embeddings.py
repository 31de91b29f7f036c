"""Whether the embeddings of `cst` are those of the model: each text's vector beside one that numpy reckons in 64 bits from the same weights,
by the formulas of BERT, or of model2vec.

    cargo build --release --benches --features semantic
    python3 benches/symbols/embeddings.py --embed target/release/deps/embed-… MODEL [FOLDER] [--texts 50]

Texts are lines and paragraphs of the files in FOLDER. Needs numpy, tokenizers and safetensors. Prints the smallest cosine.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LONGEST = 128


def texts_of(folder, count):
    """Lines of several lengths, from the words of files."""
    files = sorted(os.path.join(base, name) for base, _, names in os.walk(folder) for name in names if name.endswith((".py", ".rs", ".md", ".go", ".ts")))
    chosen = random.Random(7)
    found = []
    while len(found) < count:
        words = open(chosen.choice(files), encoding="utf-8", errors="replace").read().split()
        if len(words) > 5:
            start = chosen.randrange(len(words))
            found.append(" ".join(words[start:start + chosen.choice([1, 3, 10, 40, 200])]))
    return found


def layer_norm(x, weight, bias, epsilon):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + epsilon) * weight + bias


def bert(folder, texts):
    config = json.load(open(os.path.join(folder, "config.json")))
    w = {name: value.astype(np.float64) for name, value in load_file(os.path.join(folder, "model.safetensors")).items() if value.dtype.kind == "f"}
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    erf = np.vectorize(math.erf)
    heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]
    for text in texts:
        ids = tokenizer.encode(text).ids
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:len(ids)] + w["embeddings.token_type_embeddings.weight"][0]
        x = layer_norm(x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"], epsilon)
        for number in range(config["num_hidden_layers"]):
            name = f"encoder.layer.{number}."
            linear = lambda part, rows: rows @ w[f"{name}{part}.weight"].T + w[f"{name}{part}.bias"]
            split = lambda rows: rows.reshape(len(ids), heads, -1).transpose(1, 0, 2)
            q, k, v = (split(linear(f"attention.self.{part}", x)) for part in ("query", "key", "value"))
            scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            context = (scores @ v).transpose(1, 0, 2).reshape(len(ids), -1)
            x = layer_norm(x + linear("attention.output.dense", context), w[f"{name}attention.output.LayerNorm.weight"], w[f"{name}attention.output.LayerNorm.bias"], epsilon)
            inner = linear("intermediate.dense", x)
            inner = 0.5 * inner * (1 + erf(inner / math.sqrt(2)))
            x = layer_norm(x + linear("output.dense", inner), w[f"{name}output.LayerNorm.weight"], w[f"{name}output.LayerNorm.bias"], epsilon)
        yield x.mean(0)


def table(folder, texts):
    w = load_file(os.path.join(folder, "model.safetensors"))
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    unknown = json.load(open(os.path.join(folder, "tokenizer.json")))["model"].get("unk_token")
    unknown = tokenizer.token_to_id(unknown) if unknown else None
    for text in texts:
        ids = [token for token in tokenizer.encode(text, add_special_tokens=False).ids[:512] if token != unknown]
        rows = w["mapping"][ids] if "mapping" in w else ids
        vectors = w["embeddings"][rows].astype(np.float64)
        if "weights" in w:
            vectors *= w["weights"][ids][:, None]
        yield vectors.mean(0) if ids else np.zeros(w["embeddings"].shape[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embed", required=True, help="the program of benches/embed.rs")
    parser.add_argument("--texts", type=int, default=50)
    parser.add_argument("model")
    parser.add_argument("folder", nargs="?", default=".")
    options = parser.parse_args()
    texts = texts_of(options.folder, options.texts)
    run = subprocess.run([options.embed, options.model], input="\n".join(texts) + "\n", capture_output=True, text=True)
    mine = [np.array(json.loads(line)) for line in run.stdout.splitlines()]
    if len(mine) != len(texts):
        sys.exit(f"{len(mine)} vectors for {len(texts)} texts: {run.stderr}")
    kind = json.load(open(os.path.join(options.model, "config.json")))["model_type"]
    theirs = (table if kind == "model2vec" else bert)(options.model, texts)
    cosines = []
    for text, one, other in zip(texts, mine, theirs):
        length = np.linalg.norm(one) * np.linalg.norm(other)
        cosines.append(one @ other / length if length else float(not one.any() and not other.any()))
    print(f"{len(cosines)} texts, the smallest cosine {min(cosines):.7f}")
    if min(cosines) < 0.999:
        sys.exit(1)


if __name__ == "__main__":
    main()
