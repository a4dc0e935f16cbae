/// Stands for a value that a page assumes. The code of the guides is only type-checked.
func assumed<Value>() -> Value { fatalError("the code of the guides does not run") }
