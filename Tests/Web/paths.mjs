/** How Node finds and reads the page's modules. Runs in a thread of Node's own (served.mjs). */

const root = new URL('../../Sources/CWebPage/web/', import.meta.url);

/** An address of the page is a file of its folder; what follows `?` makes it a module of its own, with a state of its own. */
export function resolve(specifier, context, next) {
  return next(specifier.startsWith('/') ? new URL(specifier.slice(1), root).href : specifier, context);
}

/** Served files end in .js, and a package.json that says they are modules would be one of the page's files. */
export function load(url, context, next) {
  return next(url, url.startsWith(root.href) ? { ...context, format: 'module' } : context);
}
