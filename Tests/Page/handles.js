// What the tests take hold of, as `deadwax`: the page's own modules, which are loaded already when it is asked for them.
// A page under test gets this script before its own; the page itself puts nothing into the global scope.
addEventListener('DOMContentLoaded', async () => {
  if (!document.querySelector('script[src="/app.js"]')) return;
  const [{ bar, library }, { opened }, { go }, { player }, { drawers }] = await Promise.all(
    ['/app.js', '/app/views.js', '/core/router.js', '/player/player.js', '/components/drawer.js'].map((module) => import(module)));
  globalThis.deadwax = { player, drawers, views: opened, zoom: bar.zoom, viewport: bar.zoom.viewport, library, go };
});
