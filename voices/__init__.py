"""Model providers behind one small protocol, the prompts they get and the readers of what they say."""
