"""Other packages' interfaces, with Gainful behind them."""
