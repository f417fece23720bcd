"""Messages between the server and one editor: how they are cut, taken, answered and sent."""
