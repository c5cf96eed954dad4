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
  InstanceStatusState,
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

/** What is stored of each resource: what the API shows of it, and what only the service knows. The server sends no more than is described. */
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

/** What holds of the whole service: how far the clock was moved, in milliseconds, whether jobs are held, and what it began with. */
export interface SettingRow {
  id: string;
  offset?: number;
  hold?: boolean;
  hash?: string;
  shown?: string;
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
  /** The answers to the security questions, by their ids. */
  answers: Record<string, string>;
  phone: PhoneCodeRow | null;
  twoFactor: TwoFactorRow;
}

/** A code that was sent, and until when it is good. */
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
  /** Milliseconds since 1970; until then a secret can be confirmed. */
  expires: number | null;
  /** The SHA-256 of a code that is good for one login. */
  scratchHash: string | null;
}

/** A token; `token` is what is shown of it, the first characters. */
export interface TokenRow extends OfUser, Token {
  /** The SHA-256 of the token, in hex. */
  hash: string;
  kind: "personal" | "app";
  /** The app whose access token this is. */
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
  /** What only the platform tells from `stopped`. */
  state: InstanceStatusState;
  /** The state to which it goes back when what goes on is over. */
  before: InstanceStatusState | null;
  rootPassHash: string | null;
  authorizedKeys: string[];
  lastBooted: number | null;
  /** When the watchdog booted it, in milliseconds since 1970. */
  watchdogBoots: number[];
  /** The cluster whose node it is. */
  cluster: number | null;
}

export interface AddressRow {
  /** The address. */
  id: string;
  kind: "public" | "private";
  /** Null for one that is free. */
  instance: number | null;
}

export interface DiskRow extends Disk {
  instance: number;
  /** The image that it was deployed from. */
  image: string | null;
}

export interface ConfigRow extends Config {
  instance: number;
}

export interface BackupRow extends OfAccount, Backup {
  instance: number;
  /** Configs and disks as they were when the backup was taken, which are shown when it is done. Devices name disks by the ids that they had. */
  copies: {
    configs: Omit<Config, "id" | "created" | "updated">[];
    disks: Pick<DiskRow, "id" | "label" | "size" | "filesystem" | "image">[];
  };
  rootPassHash: string | null;
}

export interface ImageRow extends Image {
  /** Null for public ones. */
  account: string | null;
  /** The number of a private one, by which grants name it. */
  number: number | null;
  /** The SHA-256 of what the address for its data ends with, until it has them. */
  ticket: string | null;
  /** How many uploads of its data are under way; none when absent. */
  uploads?: number;
  /** That of the disk that it was made from; a disk that is deployed from it has the same. */
  filesystem?: Disk["filesystem"];
  /** The file that its data are in, within the folder that it has for them. */
  file: string | null;
}

export interface ClusterRow extends OfAccount, Cluster {
  /** Changes whenever the kubeconfig is made anew. Null until the cluster is ready. */
  kubeconfigToken: string | null;
  /** What its API server is known by, in PEM. Null until the cluster is ready. */
  certificate: string | null;
  /** Whether nodes wait to be replaced, one after another. */
  isRolling: boolean;
}

export interface PoolRow extends OfAccount, Omit<Pool, "nodes"> {
  cluster: number;
}

export interface NodeRow extends OfAccount, Node {
  pool: number;
  cluster: number;
  /** Nodes are shown in the order in which they were made. */
  position: number;
  /** The version of Kubernetes that it runs, to the patch. */
  patch: string;
  /** Whether it was made for one that was recycled, and is not ready yet. */
  replaces: boolean;
  /** The user for whom it is to be recycled when its turn comes. */
  recycleFor: string | null;
}

export interface DomainRow extends OfAccount, Domain {
  /** The name in lower case; no two domains of the platform have the same. */
  key: string;
  /** The number that the zone's SOA has. */
  serial: number;
}

export interface RecordRow extends DomainRecord {
  domain: number;
}

/** The zone of a domain as it was last rendered. Apart from the domain, since lists of domains have no use for it. */
export interface ZoneRow {
  /** The id of the domain. */
  id: number;
  lines: string[];
}

/** Something the platform does later. */
export interface JobRow extends OfAccount {
  id: number;
  kind: string;
  /** Milliseconds since 1970, by the service's clock. */
  due: number;
  /** What ends a transient state; what comes again; a time that is over. */
  nature: "transient" | "recurring" | "deadline";
  /** What it is about, such as `instance 5`. */
  subject: string;
  /** The event that tells how it goes. */
  event: number | null;
  data: Record<string, unknown>;
  /** How often it failed. */
  failures: number;
}
