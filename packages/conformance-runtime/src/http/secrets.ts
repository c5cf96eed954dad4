import type { Json } from "../suite.js";
import { isJsonObject, isJsonArray } from "../values/json.js";
import { percentEncode } from "./query.js";

/** Collects the secrets of a run and redacts them in reports. */
export interface SecretRegistry {
  /** Adds a secret with its placeholder, such as `$TOKEN`. */
  add(secret: string, name: string): void;
  /** Removes a secret that only a completed case has used. */
  forget(secret: string): void;
  /** Replaces known secrets by their placeholders. */
  text(text: string): string;
  /** Redacts a body: known secrets, and values under keys such as `password`. */
  body(text: string): string;
  header(name: string, value: string): string;
}

export function createSecretRegistry(): SecretRegistry {
  const labels = new Map<string, string>();

  return {
    add(secret, name) {
      labels.set(secret, name);
      const encoded = percentEncode(secret);
      if (encoded !== secret) labels.set(encoded, name);
    },
    forget(secret) {
      labels.delete(secret);
      labels.delete(percentEncode(secret));
    },
    text,
    body(given) {
      try {
        const value: Json = JSON.parse(given);
        return text(JSON.stringify(redactSecretValues(value, "", (secret) => labels.get(secret))));
      } catch {
        return text(given);
      }
    },
    header(name, value) {
      if (name === "authorization") return authorization(value);
      if (secretHeader.test(name)) return labels.get(value) ?? redacted;
      return isCookie.test(name) ? cookie(value) : text(value);
    },
  };

  function text(original: string): string {
    let reported = original;
    // Shorter secrets would match everywhere.
    for (const [secret, name] of labels) if (secret.length >= 8) reported = reported.replaceAll(secret, name);
    return reported;
  }

  function cookie(value: string): string {
    const pairs = value.split("; ").map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      return `${name}=${labels.get(rest.join("=")) ?? redacted}`;
    });
    return pairs.join("; ");
  }

  function authorization(value: string): string {
    const [scheme = "", ...rest] = value.split(" ");
    const credential = rest.join(" ");
    if (credential === "") return labels.get(scheme) ?? redacted;
    if (/^basic$/i.test(scheme)) {
      const decoded = Buffer.from(credential, "base64").toString();
      return `${scheme} ${labels.get(decoded) ?? redacted}`;
    }
    return `${/^\w+$/.test(scheme) ? scheme : redacted} ${labels.get(credential) ?? redacted}`;
  }
}

/** Replaces texts under keys such as `password`. `key` is the key of `value` itself. */
export function redactSecretValues(
  value: Json,
  key = "",
  labelOf: (text: string) => string | undefined = noSecrets,
): Json {
  if (typeof value === "string") return value !== "" && secretKey.test(key) ? (labelOf(value) ?? redacted) : value;
  if (isJsonArray(value)) return value.map((each) => redactSecretValues(each, key, labelOf));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, redactSecretValues(each, name, labelOf)] as const);
  return Object.fromEntries(entries);
}

function noSecrets(): undefined {
  return undefined;
}

const redacted = "$SECRET";

const secretHeader = /(?:^|-)(?:api-?key|auth|password|secret|token)$|^proxy-authorization$/;

const isCookie = /^(?:set-)?cookie$/;

const secretKey = /(?:^|[_-])(?:pass|passwd|password|secret|token|scratch|private_key|kubeconfig|(?:otp|tfa)_code)$/i;
