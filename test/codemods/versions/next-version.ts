/** The next version of our API, as changes of its description, and how it maps to this one. */
export interface NextVersion {
  readonly changes: readonly DescriptionChange[];
  /** What a person decides about markers that the migration leaves. */
  readonly decisions?: readonly { readonly marker: RegExp; readonly decided: string }[];
  /** Translates a request of the next version. The service has this one. */
  readonly toOld: (request: TranslatedRequest) => TranslatedRequest;
  /** Translates the body of a response to the next version. */
  readonly toNew: (body: unknown) => unknown;
}

/** A replacement in files of the description. */
export interface DescriptionChange {
  /** A file below `spec`; `folder/*` and `**` for several. */
  readonly file: string;
  readonly from: RegExp | string;
  readonly to: string;
}

/** A request, with its body as a value. */
export interface TranslatedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
