/** A request without its body. */
export interface RequestHead {
  readonly method: string;
  /** The request target as the client sent it, such as `/v4/compute/instances?page=1`. */
  readonly target: string;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Length of the body in bytes: 0 for no body, undefined if it is not declared. */
  readonly length: number | undefined;
}
