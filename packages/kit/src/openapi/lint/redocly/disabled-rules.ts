/** Rules of Redocly's recommended set that are disabled, with reasons. */
export const disabledRedoclyRules: Readonly<Record<string, string>> = {
  "info-license": "Whether an API names a license is its owner's affair; nothing is generated from it.",
  "info-license-strict": "As info-license.",
  "no-ambiguous-paths":
    "/images/upload beside /images/{imageId} is not ambiguous: OpenAPI tries concrete paths first, as generated routers do.",
  "no-server-example.com": "Test controls are served on localhost, and documents of an emulator name reserved hosts.",
  "tag-description": "A tag is a folder of generated code here; its name says enough.",
};
