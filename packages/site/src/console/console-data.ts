import type { Json, MediaKind, ParameterLocation, ParameterStyle } from "@plumbline/kit/model";

/** What the page of an operation carries for its console, as JSON. */
export interface ConsoleOperation {
  readonly name: string;
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** The address in samples, and that of the mock: the first server, or an example. */
  readonly base: string;
  /** The base URL that samples give a client. Absent: clients have a default. */
  readonly clientBase?: string | undefined;
  /** The addresses of the description's servers that are absolute. */
  readonly servers: readonly string[];
  readonly parameters: readonly ConsoleParameter[];
  /** The media types of the body, the preferred one first. Empty: there is no body. */
  readonly bodies: readonly ConsoleBody[];
  readonly credentials: readonly ConsoleCredential[];
  /** The package of the generated client, for samples. */
  readonly client?: string | undefined;
  /** Whether a response of success is JSON. */
  readonly hasResult: boolean;
  /** The documented statuses, with their media types. */
  readonly responses: Readonly<Record<string, readonly string[]>>;
  /** What distinguishes the mock of this site from others. Absent: the site has no mock. */
  readonly mock?: string | undefined;
}

export interface ConsoleParameter {
  readonly in: ParameterLocation;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved?: true;
  /** Set if the value may have several segments of a path. */
  readonly hasSegments?: true;
  readonly field: FormField;
  readonly example?: Json;
}

export interface ConsoleBody {
  readonly mediaType: string;
  readonly kind: MediaKind;
  readonly isRequired: boolean;
  /** The fields of the form. Absent: the body is edited as a text, or is a file. */
  readonly fields?: readonly FormField[] | undefined;
  /** The documented example, or a sample. */
  readonly example: Json;
}

/** A credential of the request. The page sends it and keeps it nowhere. */
export interface ConsoleCredential {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  /** What precedes it, such as `Bearer `. */
  readonly prefix: string;
  /** The name of its variable in samples, such as `TOKEN`. */
  readonly variable: string;
}

/** An input with its label. */
export interface FormField {
  readonly name: string;
  readonly isRequired: boolean;
  /** Constraints in words. */
  readonly hint?: string;
  readonly input: FormInput;
}

export type FormInput =
  | { readonly kind: "text" }
  | {
      readonly kind: "number";
      readonly isInteger: boolean;
      readonly least?: number | undefined;
      readonly most?: number | undefined;
    }
  | { readonly kind: "boolean" }
  | { readonly kind: "select"; readonly values: readonly Json[] }
  | { readonly kind: "file"; readonly isMultiple: boolean }
  | { readonly kind: "group"; readonly fields: readonly FormField[] }
  /** Any other value, as JSON. */
  | { readonly kind: "json" };
