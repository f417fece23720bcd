from shardlint_lsp.main import serve

if __name__ == "__main__":
    raise SystemExit(serve())
