import type { SecurityCheck, SecurityHandlers } from "../security/index.js";

export interface SecurityOptions<Request> {
  /**
   * Checks credentials, by security scheme. Requests that do not meet the `security` of their operation get a 401 or 403, before anything of them
   * is validated.
   *
   * @defaultValue credentials are not checked
   */
  readonly security?: SecurityHandlers<Request> | undefined;
  /** Loads what the operations require. Generated packages provide this option. */
  readonly securityCheck?: () => Promise<SecurityCheck>;
}
