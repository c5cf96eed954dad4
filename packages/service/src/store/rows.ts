import type {
  App,
  Backup,
  Cluster,
  Config,
  Device,
  Disk,
  Domain,
  DomainRecord,
  Event,
  Grants,
  Image,
  Instance,
  InstanceStatus,
  Login,
  Node,
  NodeBalancer,
  Pool,
  Profile,
  Region,
  SSHKey,
  StackScript,
  Tag,
  Token,
  Volume,
} from "@cloud-compute/server";

/** The stored row of each resource: fields of the API, and internal fields of the service. The generated server sends only documented fields. */
export interface Rows {
  readonly settings: SettingRow;
  readonly accounts: AccountRow;
  readonly users: UserRow;
  readonly tokens: TokenRow;
  readonly apps: OfUser & App;
  readonly devices: OfUser & Device;
  readonly logins: OfUser & Login;
  readonly sshkeys: OfUser & SSHKey;
  readonly preferences: PreferencesRow;
  readonly messages: MessageRow;
  readonly instances: InstanceRow;
  readonly addresses: AddressRow;
  readonly disks: DiskRow;
  readonly configs: ConfigRow;
  readonly backups: BackupRow;
  readonly images: ImageRow;
  readonly public_images: ImageRow;
  readonly regions: Region;
  readonly tags: OfAccount & Tag & { id: number };
  readonly volumes: OfAccount & Volume & { cluster: number | null };
  readonly nodebalancers: OfAccount & NodeBalancer & { cluster: number | null };
  readonly stackscripts: OfAccount & StackScript;
  readonly clusters: ClusterRow;
  readonly pools: PoolRow;
  readonly nodes: NodeRow;
  readonly domains: DomainRow;
  readonly records: RecordRow;
  readonly zones: ZoneRow;
  readonly events: OfAccount & Event;
  readonly jobs: JobRow;
}

interface OfAccount {
  account: string;
}

interface OfUser {
  user: string;
}

/** State of the complete service: the offset of the clock in milliseconds, whether jobs are on hold, and the initial token. */
export interface SettingRow {
  id: string;
  offset?: number;
  hold?: boolean;
  hash?: string;
  prefix?: string;
}

export interface AccountRow {
  id: string;
  /** In US dollars. */
  total_payments: number;
  created: string;
}

/** A user, and its profile. */
export interface UserRow extends OfAccount {
  /** The user name. */
  id: string;
  profile: Profile;
  grants: Grants;
  /** The answers to the security questions, by the ids of these. */
  answers: Record<string, string>;
  phone: PhoneCodeRow | null;
  twoFactor: TwoFactorRow;
}

/** A code that was sent, and its expiry. */
export interface PhoneCodeRow {
  number: string;
  code: string;
  /** Milliseconds since 1970. */
  expires: number;
}

export interface TwoFactorRow {
  state: "disabled" | "secret_issued" | "enabled";
  /** In base 32. */
  secret: string | null;
  /** Milliseconds since 1970. The secret can be confirmed until then. */
  expires: number | null;
  /** The SHA-256 of a code that is valid for one login. */
  scratchHash: string | null;
}

/** A token. `token` has the first characters, which responses show. */
export interface TokenRow extends OfUser, Token {
  /** The SHA-256 of the token, in hex. */
  hash: string;
  kind: "personal" | "app";
  /** The app of this access token. */
  app: number | null;
  client: string | null;
}

export interface PreferencesRow extends OfUser {
  /** The user and the client. */
  id: string;
  preferences: Record<string, unknown>;
}

export interface MessageRow {
  id: number;
  to: string;
  text: string;
  code: string;
  sent: string;
}

export interface InstanceRow extends OfAccount, Omit<Instance, "status"> {
  status: Instance["status"];
  /** The internal state, which the status does not distinguish from `stopped`. */
  state: InstanceStatus;
  /** The state after the current operation. */
  before: InstanceStatus | null;
  rootPassHash: string | null;
  authorizedKeys: string[];
  lastBooted: number | null;
  /** The times when the watchdog booted it, in milliseconds since 1970. */
  watchdogBoots: number[];
  /** The cluster of this node. */
  cluster: number | null;
}

/** An address, and the account that has or had it. */
export interface AddressRow extends OfAccount {
  /** The address. */
  id: string;
  kind: "public" | "private";
  /** Null for a free address. */
  instance: number | null;
}

export interface DiskRow extends Disk {
  instance: number;
  /** The image of the deployment. */
  image: string | null;
}

export interface ConfigRow extends Config {
  instance: number;
}

export interface BackupRow extends OfAccount, Backup {
  instance: number;
  /** Configs and disks at the time of the backup, which responses list when it is done. Devices refer to disks by the ids at that time. */
  copies: {
    configs: Omit<Config, "id" | "created" | "updated">[];
    disks: Pick<DiskRow, "id" | "label" | "size" | "filesystem" | "image">[];
  };
  rootPassHash: string | null;
}

export interface ImageRow extends Image {
  /** Null for public images. */
  account: string | null;
  /** The number of a private image, which grants refer to. */
  number: number | null;
  /** The SHA-256 of the secret part of the address, until the image has its data. */
  ticket: string | null;
  /** The number of running uploads. Absent for none. */
  uploads?: number;
  /** The filesystem of the source disk, and of disks that are deployed from the image. */
  filesystem?: Disk["filesystem"];
  /** The file with the data, within the folder of the image. */
  file: string | null;
}

export interface ClusterRow extends OfAccount, Cluster {
  /** Changes when the kubeconfig is created again. Null until the cluster is ready. */
  kubeconfigToken: string | null;
  /** The certificate of the API server, in PEM. Null until the cluster is ready. */
  certificate: string | null;
  /** Whether nodes wait to be replaced one by one. */
  isRolling: boolean;
}

export interface PoolRow extends OfAccount, Omit<Pool, "nodes"> {
  cluster: number;
}

export interface NodeRow extends OfAccount, Node {
  pool: number;
  cluster: number;
  /** Lists have nodes in the order of their creation. */
  position: number;
  /** Its version of Kubernetes, with the patch. */
  patch: string;
  /** Whether it replaces a recycled node, and is not ready yet. */
  replaces: boolean;
  /** The user who requested the recycling that waits for its turn. */
  recycleFor: string | null;
}

export interface DomainRow extends OfAccount, Domain {
  /** The name in lower case, which is unique on the platform. */
  key: string;
  /** The serial of the zone's SOA record. */
  serial: number;
}

export interface RecordRow extends DomainRecord {
  domain: number;
}

/** The last rendered zone of a domain. In its own table, since lists of domains do not need it. */
export interface ZoneRow {
  /** The id of the domain. */
  id: number;
  lines: string[];
}

/** When jobs are due that were given up: after all others, so that no search for due ones finds them. Milliseconds since 1970. */
export const givenUpDue: number = Date.UTC(9950, 0);

/** A later action of the platform. */
export interface JobRow extends OfAccount {
  id: number;
  kind: string;
  /** Milliseconds since 1970, by the service's clock. */
  due: number;
  /** Ends a transient state, runs regularly, or ends a period. */
  nature: "transient" | "recurring" | "deadline";
  /** The subject, such as `instance 5`. */
  subject: string;
  /** The event that reports the progress. */
  event: number | null;
  data: Record<string, unknown>;
  /** The number of failed runs. */
  failures: number;
}

/** The profile of a response, and its user. */
export interface ProfileRow extends Profile {
  readonly user: UserRow;
  /** The time of the look-up, in milliseconds since 1970. */
  readonly asOf: number;
}
