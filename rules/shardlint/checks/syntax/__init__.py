"""SYN: texts their reader refuses, and values it reads as something else than they look."""
