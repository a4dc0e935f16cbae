/// Traps if the system could not create a mutex or a condition, without which the state that it guards is not safe.
package func requireMade(_ status: Int32, _ function: StaticString) {
    if status == 0 { return }
    fatalError("\(function) failed with \(status): the system is out of resources")  // ENOMEM or EAGAIN
}
