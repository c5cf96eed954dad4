import { addIssue, maxIssues, type Check, type Issue } from "../../http/index.js";
import type { JsonSchema } from "../schemas.js";
import type { AjvError, AjvInstance, AjvValidate } from "./ajv-instance.js";
import { addAjvIssues, toIssues, type AjvIssue } from "./ajv-issues.js";

/** Writes messages of another language into errors, such as a function of `ajv-i18n`. */
export type Localizer = (errors: AjvError[]) => void;

/** A check that Ajv compiles at its first use. */
export interface AjvCheck extends Check {
  compile(): void;
}

/** Turns schemas into checks. */
export class AjvCompiler {
  readonly #ajv: AjvInstance;
  readonly #localize: Localizer | undefined;
  /** The messages that replace the texts of issues. */
  readonly #messages = new WeakMap<Issue, string>();

  constructor(ajv: AjvInstance, localize: Localizer | undefined) {
    this.#ajv = ajv;
    this.#localize = localize;
  }

  messageOf(issue: Issue): string | undefined {
    return this.#messages.get(issue);
  }

  /**
   * Creates the check of a part of a request, whose issues keep their codes beside Ajv's messages.
   *
   * @param about what has the schema, for errors
   */
  requestCheck(schema: JsonSchema, about: string): AjvCheck {
    return this.#check(schema, about, (issues, found) => {
      for (const { issue, message } of found) {
        if (issues.length >= maxIssues) return;
        if (message !== undefined) this.#messages.set(issue, message);
        issues.push(issue);
      }
    });
  }

  /** Creates the check of a response. */
  responseCheck(schema: JsonSchema, about: string): AjvCheck {
    return this.#check(schema, about, addAjvIssues);
  }

  #check(schema: JsonSchema, about: string, add: (issues: Issue[], found: readonly AjvIssue[]) => void): AjvCheck {
    let validate: AjvValidate | undefined;
    const compiled = (): AjvValidate => (validate ??= this.#compile(schema, about));
    const check: Check = (value, issues) => {
      const run = compiled();
      const result = run(value);
      if (result === true) return;
      if (result !== false) throw new TypeError(`The schema of ${about} is asynchronous. Remove \`$async\` from it.`);
      const errors = [...(run.errors ?? [])];
      this.#localize?.(errors);
      const before = issues.length;
      add(issues, toIssues(errors, schema, this.#localize !== undefined));
      // Whatever the errors are, the value is not valid.
      if (issues.length === before) addIssue(issues, "false");
    };
    return Object.assign(check, { compile: () => void compiled() });
  }

  #compile(schema: JsonSchema, about: string): AjvValidate {
    try {
      return this.#ajv.compile(schema);
    } catch (cause) {
      throw new TypeError(`Ajv cannot compile the schema of ${about}: ${(cause as Error).message}`, { cause });
    }
  }
}
