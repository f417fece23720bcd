"""One module a kind of file: recognise it by its keys, read it into a Reading."""
