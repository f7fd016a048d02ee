"""The wording that agents were seen to send, as it is kept on one machine: values and their file, no disk."""
