import { mediaTypeEssence } from "../../model/index.js";

/**
 * Of media types that differ in parameters only, such as `application/json;stream=watch`, the plain one is read. The
 * linter reports the others.
 */
export function distinctMediaTypes<T>(
  contents: readonly (readonly [mediaType: string, content: T])[],
): readonly (readonly [mediaType: string, content: T])[] {
  const names = new Set(contents.map(([mediaType]) => mediaType));
  const used = new Set<string>();
  return contents.filter(([mediaType]) => {
    const plain = mediaTypeEssence(mediaType);
    if (used.has(plain) || (mediaType !== plain && names.has(plain))) return false;
    used.add(plain);
    return true;
  });
}
