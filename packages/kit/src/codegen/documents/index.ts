export { type OpenapiDocument } from "./openapi-document.js";
export { createPortableDocument, type PortableDocumentOptions } from "./portable-document.js";
