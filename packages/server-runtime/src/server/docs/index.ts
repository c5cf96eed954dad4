export { serveDocs, type DocsOptions, type ReadDocument, type ReadSiteFile } from "./serve-docs.js";
