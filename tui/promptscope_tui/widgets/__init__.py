"""The widgets: one public class per file."""
