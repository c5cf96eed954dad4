import { expect, test } from "vitest";
import { html, joinHtml, scriptJson, trustHtml } from "./html.js";

test("escapes values, but for those that are HTML", () => {
  expect(html`<a title="${'"<&'}">${trustHtml("<b>")}${["<", 1, undefined]}</a>`.toString()).toBe(
    '<a title="&quot;&lt;&amp;"><b>&lt;1</a>',
  );
});

test("joins values", () => {
  expect(joinHtml(["<", html`<i></i>`], " & ").toString()).toBe("&lt; &amp; <i></i>");
});

test("JSON cannot end its script", () => {
  expect(scriptJson("</script><!--\u2028").toString()).toBe('"\\u003c/script\\u003e\\u003c!--\\u2028"');
});
