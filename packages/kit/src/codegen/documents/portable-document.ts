import type { Api } from "../../model/index.js";
import { withCodeSamples } from "./code-samples.js";
import { withErrorCauses } from "./error-causes.js";
import { withExamples } from "./examples.js";
import { withoutExtensionFields } from "./extension-fields.js";
import type { OpenapiDocument } from "./openapi-document.js";

/** The options of `createPortableDocument`. */
export interface PortableDocumentOptions {
  /** The package of the generated client, for samples. Default: there are no samples of a client. */
  readonly client?: string | undefined;
  /** Whether extension fields stay, with samples of requests among them. Default: true. */
  readonly extensions?: boolean;
}

/**
 * Completes a bundled description for tools of others: the descriptions of responses get the causes of errors, each JSON body an example,
 * and each operation samples of its request in `x-codeSamples`.
 *
 * @param api - The model of the description.
 * @param document - The same description as one document.
 * @param options - What else it contains.
 * @returns A document that shares its unchanged parts with the other one.
 */
export function createPortableDocument(
  api: Api,
  document: OpenapiDocument,
  { client, extensions = true }: PortableDocumentOptions = {},
): OpenapiDocument {
  const complete = withExamples(api, withErrorCauses(api, document));
  return extensions ? withCodeSamples(api, complete, client) : withoutExtensionFields(complete);
}
