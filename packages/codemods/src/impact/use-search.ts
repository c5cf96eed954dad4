import type { ApiNames, ApiPart } from "./api-part.js";
import type { PartReader } from "./part-reader.js";

/** What a search for uses needs. */
export interface UseSearch {
  readonly reader: PartReader;
  readonly names: ApiNames;
  /** The names of the properties, functions and types that matter. Others are not resolved. */
  readonly isWanted: (name: string) => boolean;
  /** The parts that have just these texts, of which one matters. */
  readonly partsWithTexts: (texts: readonly string[]) => readonly ApiPart[];
  /** Whether a text matters. */
  readonly isWantedText: (text: string) => boolean;
  /** Whether objects matter that lack a property. */
  readonly wantsObjects: boolean;
}

/** The search in one file. */
export interface FileSearch extends UseSearch {
  /** Whether the file has imported a part of the API under this name. */
  readonly isImported: (name: string) => boolean;
}
