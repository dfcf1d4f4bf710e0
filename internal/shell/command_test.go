package shell_test

type commandRow struct{ text string }

var commandRows []commandRow
