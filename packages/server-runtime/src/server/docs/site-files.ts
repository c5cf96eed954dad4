/** The media types of the files of a site, by the end of the name. */
const mediaTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  txt: "text/plain; charset=utf-8",
};

/** Returns the media type of a file by its name. */
export function fileMediaType(file: string): string {
  const [, end = ""] = /\.(\w+)$/.exec(file) ?? [];
  return Object.hasOwn(mediaTypes, end) ? (mediaTypes[end] ?? "") : "application/octet-stream";
}

/**
 * Returns the path of a file that a URL below the site asks for; a folder has an `index.html`. Undefined for paths that leave the folder, that are
 * hidden files, or that need percent-encoding, and for names that no file system has, or that are devices on Windows.
 */
export function siteFilePath(rest: string): string | undefined {
  const path = rest === "" || rest.endsWith("/") ? `${rest}index.html` : rest;
  const isFile = path.length <= maxPathLength && path.split("/").every((name) => fileName.test(name));
  return isFile ? path : undefined;
}

const fileName = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\w-][\w.-]{0,254}$/i;

// Characters. Systems have 4096 for the whole path, some of them 1024.
const maxPathLength = 512;
