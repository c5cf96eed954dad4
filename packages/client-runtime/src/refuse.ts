/** Throws why a request is not sent; `what` must hold no secret, since a message will. */
export function refuse(what: string): never {
  throw new TypeError(`${what} cannot be sent`);
}
