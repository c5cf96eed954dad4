import type { CredentialSource } from "./credential-encoding.js";

/** A caller. */
export interface Identity extends CredentialSource {
  readonly label: string;
  readonly username: string | null;
  /** The account, as the test controls name it. Null: the account of the main token. */
  readonly account: string | null;
}

export const anonymousIdentity: Identity = { label: "anonymous", username: null, account: null };
