/** The marker for a value that a person has to choose. It is not declared anywhere, so the code does not compile. */
export const marker = "TODO";

/** Whether a name needs no quotes as a property. */
export function isIdentifierName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** A name as that of a property in an object. */
export function toKey(name: string): string {
  return isIdentifierName(name) ? name : JSON.stringify(name);
}

/** A message in one line, without the end of a comment: names in it are those of the description. */
export function toComment(message: string): string {
  return message.replaceAll(/[\r\n\u2028\u2029]+/g, " ").replaceAll("*/", "* /");
}

/** A text in the quotes of another literal. */
export function quoteAs(literal: string, text: string): string {
  const quoted = JSON.stringify(text);
  return literal.startsWith("'") ? `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : quoted;
}
