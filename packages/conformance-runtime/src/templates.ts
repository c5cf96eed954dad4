export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * JSON in which an object with exactly one key that begins with `$` is an operator:
 *
 * | form | value |
 * |---|---|
 * | `{"$get": "made#/body/id"}` | the value at a JSON pointer of what a step bound. Without a value the case could not run |
 * | `{"$text": ["a-", {"$get": "x#/id"}]}` | the concatenated parts |
 * | `{"$repeat": ["x", 65]}` | the text repeated this many times |
 * | `{"$list": [item, 26]}` | an array with the item this many times, evaluated for each |
 * | `{"$unique": "label"}` | a new value for each use, beginning with the run's tag: see `UniqueKind` |
 * | `{"$unique": ["A-Z", "A-Z", "-", "0-9"]}` | a new text for each use, with one of these characters at each place |
 * | `{"$time": "PT1H"}` | the server's time plus a duration (`-PT1H` subtracts), as `2026-02-28T23:59:59Z` |
 * | `{"$merge": [a, b]}` | merged objects, the later one wins; a key with the value `{"$absent": true}` is removed |
 * | `{"$sum": [1, {"$get": "x#/id"}]}` | the sum |
 * | `{"$number": {"$get": "x#/id"}}` | the digits at the end of a text, as a number |
 * | `{"$count": {"$get": "x#/data"}}` | the number of items |
 * | `{"$find": [list, schema]}` | the first item that matches a JSON Schema. Without one the case could not run |
 * | `{"$json": value}` | the value as JSON text |
 * | `{"$index": true}` | the round of a `repeat`, from 0 |
 * | `{"$literal": value}` | the value, without evaluation |
 */
export type Template = Json;

/**
 * `label`: 3 to 32 letters, digits and hyphens, a letter first. `domain`: a name below example.com. `number`: 10 digits.
 * `username`: as label. `ssh-key`: an Ed25519 public key. `phone`: a US number in E.164.
 */
export type UniqueKind = "label" | "domain" | "number" | "username" | "ssh-key" | "phone";
