/// Stops the program where the system could not make a mutex or a condition: without one nothing that it guards is safe.
package func requireMade(_ status: Int32, _ function: StaticString) {
    if status == 0 { return }
    fatalError("\(function) failed with \(status): the system is out of resources")  // ENOMEM or EAGAIN
}
