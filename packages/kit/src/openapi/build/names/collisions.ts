import {
  operationTypeNames,
  type Diagnostic,
  type NamedSchema,
  type Operation,
  type Schema,
} from "../../../model/index.js";
import type { Description } from "../../read/load.js";

/** Finds names that the model derives from others, and that a schema or an operation has already. */
export interface Collisions {
  readonly errors: readonly Diagnostic[];
  /** Returns the name of the request variant of a schema, which a schema may have already. */
  readonly nameVariant: (preferred: string, schema: Schema, isTaken: (name: string) => boolean) => string;
  readonly checkOperationTypes: (operations: readonly Operation[], schemas: readonly NamedSchema[]) => void;
}

export function createCollisions(description: Description, isMinimal: boolean): Collisions {
  const errors: Diagnostic[] = [];
  return { errors, nameVariant, checkOperationTypes };

  function nameVariant(preferred: string, schema: Schema, isTaken: (name: string) => boolean): string {
    if (!isTaken(preferred)) return preferred;
    const origin = description.locate(schema.origin);
    const message = `The request variant of this schema would be called "${preferred}", and there is such a schema.`;
    if (!isMinimal) {
      const fix = 'Rename one of them, or add "x-name".';
      errors.push({ code: "names/collision", severity: "error", origin, message, fix });
      return preferred;
    }
    let name = `${preferred}Variant`;
    while (isTaken(name)) name += "Variant";
    const fix = 'To choose another name, add one of the two schemas under "names" in plumbline.yaml.';
    description.diagnostics.push({
      code: "names/renamed",
      severity: "warning",
      origin,
      message: `The request variant of this schema is called "${name}": there is a schema "${preferred}".`,
      fix,
    });
    return name;
  }

  function checkOperationTypes(operations: readonly Operation[], schemas: readonly NamedSchema[]): void {
    const names = new Set(schemas.map(({ name }) => name));
    const users = new Map<string, Operation>();
    for (const operation of operations) {
      const types = operationTypeNames(operation.name, (name) => names.has(name));
      const other = types.map((type) => users.get(type)).find((each) => each !== undefined);
      for (const type of types) users.set(type, operation);
      const isReported = other?.name.toLowerCase() === operation.name.toLowerCase(); // the operations themselves have colliding names
      if (other === undefined || isReported) continue;
      errors.push({
        code: "names/collision",
        severity: "error",
        origin: description.locate(operation.origin),
        message: `The types of "${other.name}" and "${operation.name}" would have the same names.`,
        fix: "Choose another name for one of them.",
      });
    }
    for (const { name, schema } of schemas) {
      const operation = users.get(name);
      if (operation === undefined) continue;
      const message = `The type name "${name}" is needed for the request or the error of ${operation.name}.`;
      errors.push({
        code: "names/collision",
        severity: "error",
        origin: description.locate(schema.origin),
        message,
        fix: 'Add "x-name" to one of them, or an entry under "names" in plumbline.yaml.',
      });
    }
  }
}
