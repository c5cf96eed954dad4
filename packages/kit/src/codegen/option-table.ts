/** The options of a generator, by key: each a JSON Schema of a few keywords, which also give the option its TypeScript type. */
export type OptionTable = Readonly<Record<string, OptionSchema>>;

export type OptionSchema = StringOption | BooleanOption | NumberOption | ListOption;

interface StringOption {
  readonly type: "string";
  readonly description: string;
  readonly enum?: readonly string[];
  /** `path`: a path relative to plumbline.yaml; the generator gets an absolute path. */
  readonly format?: "path";
  readonly default?: string;
}

interface BooleanOption {
  readonly type: "boolean";
  readonly description: string;
  readonly default: boolean;
}

interface NumberOption {
  readonly type: "number" | "integer";
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

interface ListOption {
  readonly type: "array";
  readonly description: string;
  readonly items: { readonly type: "string"; readonly enum?: readonly string[] };
  readonly default: readonly string[];
}

/** The values of options. An option without a default may be undefined. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Key in keyof Table]:
    | OptionValue<Table[Key]>
    | (Table[Key] extends { readonly default: unknown } ? never : undefined);
};

type OptionValue<Option extends OptionSchema> = Option extends ListOption
  ? readonly string[]
  : Option extends BooleanOption
    ? boolean
    : Option extends NumberOption
      ? number
      : Option extends { readonly enum: readonly (infer Value)[] }
        ? Value
        : string;

/** Why a value does not match the schema of its option; undefined where it matches. */
export function findOptionIssue(option: OptionSchema, value: unknown): string | undefined {
  switch (option.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "is not true or false";
    case "number":
    case "integer":
      if (typeof value !== "number" || (option.type === "integer" && !Number.isInteger(value)))
        return `is not ${option.type === "integer" ? "an integer" : "a number"}`;
      if (option.minimum !== undefined && value < option.minimum) return `is less than ${option.minimum}`;
      return option.maximum !== undefined && value > option.maximum ? `is greater than ${option.maximum}` : undefined;
    case "array":
      if (!Array.isArray(value)) return "is not a list";
      return value.map((item) => findTextIssue(option.items.enum, item)).find((issue) => issue !== undefined);
    case "string":
      return findTextIssue(option.enum, value);
  }
}

function findTextIssue(allowed: readonly string[] | undefined, value: unknown): string | undefined {
  if (typeof value !== "string") return "is not a text";
  return allowed === undefined || allowed.includes(value) ? undefined : `is not one of: ${allowed.join(", ")}`;
}
