/** Where the page's modules are, and how Node finds and reads them: `resolve` and `load` run in a thread of Node's own (served.mjs). */

/** The folder of the page's files. */
export const web = new URL('../../web/', import.meta.url);

/** An address of the page is a file of its folder; what follows `?` makes it a module of its own, with a state of its own. */
export function resolve(specifier, context, next) {
  return next(specifier.startsWith('/') ? new URL(specifier.slice(1), web).href : specifier, context);
}

/** Served files end in .js, and a package.json that says they are modules would be one of the page's files. */
export function load(url, context, next) {
  return next(url, url.startsWith(web.href) ? { ...context, format: 'module' } : context);
}
