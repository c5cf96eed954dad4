/** Returns the words of a name: `listSSHKeys` is `list SSH keys`. */
export function nameInWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .split(/[\s_-]+/)
    .map((word) => (/^[A-Z]{2,}s?$/.test(word) ? word : word.toLowerCase()))
    .join(" ");
}

/** Returns the words of a name as a title: `createInstance` is `Create instance`. */
export function titleOfName(name: string): string {
  const words = nameInWords(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns words with an indefinite article: `an image`, `a user`. */
export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) || /^[FHLMNRSX][A-Z]/.test(words) ? "an" : "a"} ${words}`;
}
