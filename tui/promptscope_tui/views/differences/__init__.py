"""What was sent, compared with the prediction."""
