import type { EntityGrant, EntityId, Grants } from "../../server/index.js";

/** A user of the mock. */
export interface MockUser {
  readonly username: string;
  /**
   * The account with the user's objects.
   *
   * @defaultValue `"account"`
   */
  readonly account?: string;
  /** Attributes of the user as a caller, such as a role. Absent ones are those of a caller who may do most. */
  readonly attributes?: CallerAttributes;
  /** The grants of the user, where it needs any: `{ named: { add_pets: true }, pet: [{ id: 1, permissions: "read_only" }] }`. */
  readonly grants?: Grants;
  /** The tokens of the user, with their scopes. A text has all scopes. */
  readonly tokens?: readonly (string | MockToken)[];
}

/** The attributes of a caller. */
export type CallerAttributes = Readonly<Record<string, string | number | boolean>>;

/** A token of a user. */
export interface MockToken {
  readonly token: string;
  /** Scopes as the description writes them. Absent: all. */
  readonly scopes?: string | undefined;
  /** The OAuth client that acts for the user. */
  readonly client?: EntityId | undefined;
}

/** A token of a user that is, perhaps, an object of the API. */
export interface IssuedToken {
  readonly username: string;
  readonly scopes: string | undefined;
  readonly client?: EntityId | undefined;
  /** The key of the object that has to exist, in its valid state. */
  readonly object?: number;
}

/** A user whose defaults are filled in. */
export interface KnownUser {
  readonly username: string;
  readonly account: string;
  readonly attributes: CallerAttributes;
  readonly grants: Grants;
}

export interface UserSnapshot {
  readonly users: readonly (readonly [string, KnownUser])[];
  readonly tokens: readonly (readonly [string, IssuedToken])[];
  readonly acceptsAnyCredential: boolean;
}

const defaultUsername = "user";
const defaultAccount = "account";

/** The users of a mock, their grants and their tokens. */
export class MockUsers {
  readonly #users = new Map<string, KnownUser>();
  readonly #tokens = new Map<string, IssuedToken>();
  #acceptsAnyCredential = true;

  constructor(users: readonly MockUser[] | undefined) {
    for (const user of users ?? [{ username: defaultUsername }]) this.addUser(user);
    this.#acceptsAnyCredential = users === undefined;
  }

  /** True if every unknown credential is the default user's: as long as no user is added. */
  get acceptsAnyCredential(): boolean {
    return this.#acceptsAnyCredential;
  }

  /** Adds a user. From then on, the mock rejects credentials that it does not know. */
  addUser({ username, account = defaultAccount, attributes = {}, grants = {}, tokens = [] }: MockUser): void {
    this.#users.set(username, { username, account, attributes, grants });
    this.#acceptsAnyCredential = false;
    for (const each of tokens) {
      const { token, ...rest } = typeof each === "string" ? { token: each } : each;
      this.addToken(token, { username, scopes: undefined, ...rest });
    }
  }

  get all(): Iterable<KnownUser> {
    return this.#users.values();
  }

  get(username: string): KnownUser | undefined {
    return this.#users.get(username);
  }

  /** The user of credentials that the mock does not know, if it accepts any. */
  get anyUser(): KnownUser | undefined {
    return this.acceptsAnyCredential ? this.#users.get(defaultUsername) : undefined;
  }

  addToken(token: string, issued: IssuedToken): void {
    this.#tokens.set(token, issued);
  }

  token(token: string): IssuedToken | undefined {
    return this.#tokens.get(token);
  }

  /** Replaces the grants of a user. Unknown users have none. */
  setGrants(username: string, grants: Grants): void {
    const user = this.#users.get(username);
    if (user !== undefined) this.#users.set(username, { ...user, grants });
  }

  /** Adds an entity to the grants of a user. */
  grantEntity(username: string, list: string, entity: EntityGrant & Readonly<Record<string, unknown>>): void {
    const user = this.#users.get(username);
    if (user === undefined) return;
    const before = user.grants[list];
    const entities = Array.isArray(before) ? (before as readonly EntityGrant[]) : [];
    this.#users.set(username, { ...user, grants: { ...user.grants, [list]: [...entities, entity] } });
  }

  snapshot(): UserSnapshot {
    return { users: [...this.#users], tokens: [...this.#tokens], acceptsAnyCredential: this.#acceptsAnyCredential };
  }

  restore({ users, tokens, acceptsAnyCredential }: UserSnapshot): void {
    this.#acceptsAnyCredential = acceptsAnyCredential;
    this.#users.clear();
    this.#tokens.clear();
    for (const [username, user] of users) this.#users.set(username, user);
    for (const [token, issued] of tokens) this.#tokens.set(token, issued);
  }
}
