/**
 * Returns what interrupts the commands that this process starts from now on, as Ctrl-C does, and nothing else: a database that another file of
 * this worker has started ends the process on a signal.
 */
export function interrupter(): () => void {
  const others = new Set(process.listeners("SIGINT"));
  return () => {
    for (const listener of process.listeners("SIGINT")) if (!others.has(listener)) listener("SIGINT");
  };
}
