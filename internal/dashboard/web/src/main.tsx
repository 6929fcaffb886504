import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { Tooltips } from './overlay'
import { speak } from './text/text'
import './styles.css'

await speak().catch(() => {}) // without its texts the page is English
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Tooltips>
      <App />
    </Tooltips>
  </StrictMode>,
)
import('./print').catch(() => {}) // later than what the first page needs
