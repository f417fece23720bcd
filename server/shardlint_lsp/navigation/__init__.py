"""Where one place of a file leads to another: paths, anchors, keys that are filled."""
