// What the types of schemas.yaml have to be.
import type {
  Account,
  AccountUpdate,
  Bird,
  Cat,
  Dog,
  Enums,
  Everything,
  EverythingUpdate,
  House,
  Leaf,
  Narrowed,
  Nullable,
  Objects,
  Person,
  Pet,
  Point,
  Strings,
  Tree,
  Unions,
} from "./client/src/index.js";
import { exactly } from "./exactly.js";

exactly<
  Nullable,
  {
    plain: string | null;
    reference: Leaf | null;
    inComposition: Leaf | null;
    withoutType: unknown;
    choice: "a" | "b" | null;
    list: (number | null)[] | null;
  }
>(true);
exactly<Enums, { number: 0 | 1 | -2; mixed: "auto" | 1 | true | null; flag: true; nothing: null; one: 'it\'s "quoted"' }>(
  true,
);
exactly<
  Objects,
  {
    closed: { a?: string };
    open: { a?: string; [other: string]: unknown };
    map: { [key: string]: Leaf };
    // TypeScript cannot say "a is text, and every other field a number".
    beside: { a: string; [other: string]: unknown };
    anything: unknown;
    empty: Record<string, unknown>;
    undescribed: { a?: string; b: unknown };
    alternatives: { a?: string; b?: string };
    not: string;
  }
>(true);
exactly<
  Unions,
  {
    primitive: string | number | boolean;
    tagged: (Cat & { kind: "Cat" }) | (Dog & { kind: "Dog" });
    mapped: (Cat & { kind: "meow" }) | (Dog & { kind: "woof" });
    named: (Cat & { kind: "c" }) | (Dog & { kind: "d" });
    either: Leaf | Point;
    base: Pet;
  }
>(true);
export const tricks = ({ mapped }: Unions): string[] => (mapped.kind === "woof" ? (mapped.tricks ?? []) : []);
exactly<Pet, Bird & { petType: "bird" }>(true);
exactly<Bird, { petType: string; wings?: number }>(true);
exactly<Tree, { value: string; children?: Tree[]; parent?: Tree | null }>(true);
export const grandparent = (tree: Tree): string | undefined => tree.parent?.parent?.value;
exactly<NonNullable<Person["home"]>, House>(true);
exactly<NonNullable<House["people"]>, Person[]>(true);
exactly<
  Narrowed,
  { size: "small" | "large"; count?: number; mode: "a" | "b"; leaf: { name: string; colour?: string } }
>(true);
exactly<Account, { id: number; name: string }>(true);
exactly<AccountUpdate, { name: string; password: string }>(true);
exactly<Everything["account"], Account | undefined>(true);
exactly<EverythingUpdate["account"], AccountUpdate | undefined>(true);
exactly<
  Strings,
  { bytes: string; binary: string; at: string; day: string; uuid: string; int64: number; pattern: string }
>(true);
