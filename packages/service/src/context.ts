import type { Handlers, RequestContext, Resources } from "@cloud-compute/server";
import type { AuthenticatedContext } from "@plumbline/server-runtime";
import type { Caller } from "./access/caller.js";
import type { ProfileRow, Rows } from "./store/rows.js";
import type { UnitOfWork } from "./unit-of-work.js";

/** What every handler gets besides its input. */
export interface Context extends RequestContext {
  readonly caller: Caller | undefined;
  readonly work: UnitOfWork;
  /** The hash of the root password that the request sets. Null if it sets none. */
  readonly rootPassHash: string | null;
}

/** The handlers of a tag, by the names of its operations. */
export type TagHandlers<Operation extends keyof Handlers> = Pick<Handlers<Context, StoredRows>, Operation>;

/** The context of an operation that requires a caller. */
export type KnownContext = AuthenticatedContext<Context>;

/** The stored row of each resource of the description. */
export interface StoredRows extends Resources {
  readonly Instance: Rows["instances"];
  readonly Backup: Rows["backups"];
  readonly Config: Rows["configs"];
  readonly Image: Rows["images"];
  readonly Tag: Rows["tags"];
  readonly Domain: Rows["domains"];
  readonly Volume: Rows["volumes"];
  readonly NodeBalancer: Rows["nodebalancers"];
  readonly Cluster: Rows["clusters"];
  readonly Node: Rows["nodes"];
  readonly Pool: Rows["pools"] & Resources["Pool"];
  readonly Profile: ProfileRow;
  readonly App: Rows["apps"];
  readonly Device: Rows["devices"];
  readonly Login: Rows["logins"];
  readonly SSHKey: Rows["sshkeys"];
  readonly Token: Rows["tokens"];
  readonly DomainRecord: Rows["records"];
  readonly Event: Rows["events"];
  readonly StackScript: Rows["stackscripts"];
  readonly Disk: Rows["disks"];
  readonly User: Resources["User"] & { readonly account: { readonly name: string } };
}
