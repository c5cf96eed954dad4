// What every handler answers.
export const reply = { ok: true };
export const text = JSON.stringify(reply);
export const length = String(text.length);
