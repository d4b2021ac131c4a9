"""What can be told of a text by itself: its words, its look, what it says of itself."""
