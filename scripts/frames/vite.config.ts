/** The studio as it is shipped, with source maps beside it: what was sampled in the browser is read as places in the sources. */

export default { plugins: [{ name: 'source-maps', config: () => ({ build: { sourcemap: 'hidden' as const } }) }] }
