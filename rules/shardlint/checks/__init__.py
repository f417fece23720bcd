"""The rules, one file each, grouped by family; a module that defines one is collected by being here."""
