import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { Tooltips } from './overlay'
import './styles.css'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Tooltips>
      <App />
    </Tooltips>
  </StrictMode>,
)
