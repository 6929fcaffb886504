import { type DragEvent, useState } from 'react'
import './images.css'

/** The files that are dropped on an element, of which the first counts. */
export function useDrop(take: (file: File) => void) {
  const [over, setOver] = useState(false)
  const carriesFile = (e: DragEvent) => e.dataTransfer.types.includes('Files')
  return {
    over,
    on: {
      onDragOver: (e: DragEvent) => {
        if (!carriesFile(e)) return
        e.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (e: DragEvent) => {
        setOver(false)
        const file = e.dataTransfer.files[0]
        if (!file) return
        e.preventDefault()
        take(file)
      },
    },
  }
}
