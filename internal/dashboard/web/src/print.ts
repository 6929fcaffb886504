import './styles/print.css'
