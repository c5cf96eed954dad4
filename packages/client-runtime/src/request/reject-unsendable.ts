/** Throws because a request cannot be sent. The message has `what`, which must not be a secret. */
export function rejectUnsendable(what: string): never {
  throw new TypeError(`${what} cannot be sent`);
}
