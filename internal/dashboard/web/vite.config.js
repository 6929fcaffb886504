import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // The tests share no state that one could leave behind, so that each module is evaluated once.
  test: { include: ['src/**/*.test.ts'], css: true, isolate: false },
  // For work on the page itself: `npx vite` beside a running server.
  server: {
    proxy: { '/graphql': { target: 'http://127.0.0.1:8080', ws: true }, '/dashboard/session': 'http://127.0.0.1:8080' },
  },
})
